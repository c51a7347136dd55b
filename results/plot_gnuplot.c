/* gnuplot as a program: it is given a script in a file, and what it says is looked at. */
#include "base/hint.h"
#include "plot_internal.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* "/tmp/x" line 12: what: the first line that is no warning, without the place in our script. */
static char *complaint(const char *text)
{
  g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++) {
    const char *colon = strstr(lines[k], " line ");
    colon = colon != NULL ? strstr(colon, ": ") : NULL;
    const char *what = colon != NULL ? colon + 2 : lines[k];
    if (*what == '\0' || g_ascii_strncasecmp(what, "warning", 7) == 0 || strchr("^ \t", *what)) {
      continue;
    }
    return g_strdup(what);
  }
  return g_strdup("gnuplot failed and does not say why");
}

/* What it draws in characters is in *DRAWN. */
static gboolean run_gnuplot(const char *program, const char *script_file, const char *name,
                            char **drawn, GError **error)
{
  char *argv[] = {hy_key(program), hy_key("--default-settings"), hy_key(script_file), NULL};
  g_autofree char *said = NULL;
  g_autoptr(GError) why = NULL;
  int status = 0;
  if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, drawn, &said, &status, &why)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot start gnuplot: %s", name, why->message);
    return FALSE;
  }
  if (!g_spawn_check_wait_status(status, NULL)) {
    g_autofree char *what = complaint(said);
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: gnuplot: %s", name, what);
    return FALSE;
  }
  return TRUE;
}

/* The panels of a figure in characters, without the form feeds between them and blanks at the ends
 * of lines. */
static void print_drawn(const char *title, const char *drawn)
{
  for (const char *at = title; *at != '\0'; at++) {
    putchar((guchar)*at < 0x20 ? ' ' : *at);
  }
  putchar('\n');
  g_auto(GStrv) lines = g_strsplit(drawn, "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++) {
    const char *line = g_strchomp(lines[k]);
    const char *feed = strrchr(line, '\f');
    line = feed != NULL ? feed + 1 : line;
    if (*line != '\0' || lines[k + 1] != NULL) {
      puts(line);
    }
  }
}

/* As a file, not on stdin: gnuplot then ends with an error at the first mistake. */
gboolean hy_plot_draw(const HyFigure *f, const char *name, GError **error)
{
  g_autofree char *program = g_find_program_in_path("gnuplot");
  if (program == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN,
                "%s: gnuplot is needed to draw and is not installed; install it (Debian, Ubuntu: "
                "apt-get install gnuplot-nox), or open the CSV with another program",
                name);
    return FALSE;
  }
  g_autofree char *file = NULL;
  g_autoptr(GError) why = NULL;
  int descriptor = g_file_open_tmp("hydevs-XXXXXX.gp", &file, &why);
  if (descriptor < 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: no temporary file: %s", name, why->message);
    return FALSE;
  }
  g_close(descriptor, NULL);
  g_autofree char *script = hy_plot_script(f);
  gboolean ok = g_file_set_contents(file, script, -1, &why);
  if (!ok) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: no temporary file: %s", name, why->message);
  }
  g_autofree char *drawn = NULL;
  ok = ok && run_gnuplot(program, file, name, &drawn, error);
  g_unlink(file);
  if (ok && f->file == NULL) {
    print_drawn(f->title, drawn);
  }
  return ok;
}

gboolean hy_plot_check_out(const char *out, gboolean numbers, GError **error)
{
  if (numbers && g_str_has_suffix(out, ".csv")) {
    return TRUE;
  }
  static const char *const endings[] = {".png", ".svg", ".pdf"};
  for (guint k = 0; k < G_N_ELEMENTS(endings); k++) {
    if (g_str_has_suffix(out, endings[k])) {
      return TRUE;
    }
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: a picture is a .png, .svg or .pdf%s", out,
              numbers ? ", and the numbers behind it a .csv" : "");
  return FALSE;
}

/* gnuplot tells a folder that cannot be written to in its own way; we tell it as with every other
 * file. */
gboolean hy_plot_check_writable(const char *out, GError **error)
{
  FILE *file = fopen(out, "ab");
  if (file == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot write: %s", out, g_strerror(errno));
    return FALSE;
  }
  fclose(file);
  return TRUE;
}

/* Whether something has been drawn into OUT; takes an empty file away, but no device. */
gboolean hy_plot_check_drawn(const char *out, GError **error)
{
  GStatBuf file;
  gboolean is = g_stat(out, &file) == 0;
  if (is && file.st_size > 0) {
    return TRUE;
  }
  if (is && S_ISREG(file.st_mode)) {
    g_unlink(out);
  }
  if (error != NULL && *error == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: gnuplot has written nothing", out);
  }
  return FALSE;
}
