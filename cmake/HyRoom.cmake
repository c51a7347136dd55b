# What an earlier configuration knew of rooms that may be gone now.
file(GLOB hy_rooms_before "${PROJECT_BINARY_DIR}/rooms/*.uses" "${PROJECT_BINARY_DIR}/rooms/*.objects")
if(hy_rooms_before)
  file(REMOVE ${hy_rooms_before})
endif()

# hy_room(NAME [USES room...] [LINKS target...])
#
# The folder that calls it becomes the object library hy-NAME of all its .c files. Internal headers are included as
# "room/file.h" (or, where it is clear, "file.h"). A room sees include/, itself and the rooms it USES, nothing else: an
# #include against the flow does not compile. Every .c file of the folder (and below) belongs to it, without a list to
# edit; a room without any is skipped. Once all rooms are there, hy_check_rooms() makes the build look at what is linked, too.
function(hy_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "USES;LINKS")
  # rooms/NAME/NAME is a link to the folder, so that -Irooms/NAME shows this room and not its neighbours.
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/rooms/${name}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${name}" "${PROJECT_BINARY_DIR}/rooms/${name}/${name}" SYMBOLIC)
  set_property(GLOBAL APPEND PROPERTY HY_ROOM_DIRS "${PROJECT_BINARY_DIR}/rooms/${name}" "${PROJECT_SOURCE_DIR}/${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.c")
  if(NOT sources)
    message(STATUS "room ${name}: no sources yet")
    return()
  endif()
  add_library(hy-${name} OBJECT ${sources})
  target_include_directories(hy-${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  foreach(seen ${name} ${room_USES})
    target_include_directories(hy-${name} PRIVATE "${PROJECT_BINARY_DIR}/rooms/${seen}" "${PROJECT_SOURCE_DIR}/${seen}")
  endforeach()
  target_link_libraries(hy-${name} PRIVATE PkgConfig::GLIB ${room_LINKS})
  target_compile_options(hy-${name} PRIVATE -Wcast-qual)
  hy_precompiled(hy-${name} fPIC)
  set_property(GLOBAL APPEND PROPERTY HY_ROOMS hy-${name})
  file(WRITE "${PROJECT_BINARY_DIR}/rooms/${name}.uses" "${room_USES}")
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/rooms/${name}.objects" CONTENT "$<TARGET_OBJECTS:hy-${name}>")
endfunction()

# hy_texts(ROOM HEADER FILE...): files of the room that are no C of its own go into it as bytes, by names that HEADER declares.
function(hy_texts room header)
  set(script "${PROJECT_SOURCE_DIR}/cmake/texts.cmake")
  set(made "${CMAKE_CURRENT_BINARY_DIR}/${room}-texts.c")
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE files)
  add_custom_command(OUTPUT "${made}" DEPENDS ${files} "${script}" VERBATIM
                     COMMAND "${CMAKE_COMMAND}" -D "OUT=${made}" -D "HEADER=${header}" -P "${script}" ${files})
  target_sources(hy-${room} PRIVATE "${made}")
endfunction()

# What a room needs of another one must be of a room that it USES (scripts/rooms): part of every build, but for those with
# sanitizers, whose objects need the same.
function(hy_check_rooms)
  if(HYDEVS_SANITIZE)
    return()
  endif()
  get_property(rooms GLOBAL PROPERTY HY_ROOMS)
  set(objects)
  foreach(room IN LISTS rooms)
    list(APPEND objects "$<TARGET_OBJECTS:${room}>")
  endforeach()
  set(stamp "${PROJECT_BINARY_DIR}/rooms/checked")
  add_custom_command(OUTPUT "${stamp}" DEPENDS ${objects} "${PROJECT_SOURCE_DIR}/scripts/rooms" VERBATIM
                     COMMAND "${PROJECT_SOURCE_DIR}/scripts/rooms" --links "${PROJECT_BINARY_DIR}"
                     COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}")
  add_custom_target(hy-rooms ALL DEPENDS "${stamp}")
  if(rooms)
    add_dependencies(hy-rooms ${rooms}) # their objects are made elsewhere: make knows no rule for them here
  endif()
endfunction()

# hy_precompiled(TARGET KIND OPTION...): GLib's headers are a third of what compiling a file costs; where there are tests they are
# read once for all rooms (KIND is fPIC) and once for all programs (fPIE) with these options. A file that does not include what it
# needs fails in scripts/lint and in a build without tests. Not beside ccache, which keeps nothing that used such headers.
file(REAL_PATH "${CMAKE_C_COMPILER}" hy_compiler)
function(hy_precompiled target kind)
  if(NOT BUILD_TESTING OR CMAKE_C_COMPILER_LAUNCHER OR hy_compiler MATCHES "ccache$")
    return()
  endif()
  string(CONCAT headers hy-headers-${kind} ${ARGN})
  if(NOT TARGET ${headers})
    file(TOUCH "${PROJECT_BINARY_DIR}/headers.c")
    add_library(${headers} OBJECT "${PROJECT_BINARY_DIR}/headers.c")
    set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${headers} PRIVATE -${kind} ${ARGN})
    target_link_libraries(${headers} PRIVATE PkgConfig::GLIB)
    target_precompile_headers(${headers} PRIVATE <glib.h> <math.h> <stdio.h> <stdlib.h> <string.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

# hy_program(TARGET SOURCE LIBRARY OPTION...): one .c file that becomes a program, compiled with these options.
function(hy_program target source library)
  add_executable(${target} "${source}")
  target_compile_options(${target} PRIVATE ${ARGN})
  target_link_libraries(${target} PRIVATE ${library})
  hy_precompiled(${target} fPIE ${ARGN})
endfunction()

# For tests only: the internal headers of every room.
function(hy_sees_all_rooms target)
  get_property(dirs GLOBAL PROPERTY HY_ROOM_DIRS)
  target_include_directories(${target} PRIVATE ${dirs})
endfunction()
