/* The files of this room that are no C, as texts: what pages carry along. Made by CMake. */
#ifndef HY_ASSETS_H
#define HY_ASSETS_H

extern const char hy_page_css[], hy_page_js[], hy_player_js[], hy_report_js[], hy_sweep_js[],
    hy_drawing_js[], hy_session_js[], hy_session_html[];

#endif
