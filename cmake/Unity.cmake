# The target `unity`: the genuine ThrowTheSwitch sources, found or fetched, never part of this repository. In this order:
#   1. -DUNITY_ROOT=dir, the folder with unity.c
#   2. an installed package cmock
#   3. the source package ntpsec of the Debian mirrors that apt is set up for
#   4. the upstream tag by git
# What is fetched is kept in build/unity and shared by all build directories.
set(UNITY_ROOT "" CACHE PATH "Folder with unity.c, unity.h and unity_internals.h")
set(UNITY_GIT "https://github.com/ThrowTheSwitch/Unity.git" CACHE STRING "Where Unity's authors keep it")
set(unity_tag v2.5.2)
set(unity_kept "${PROJECT_SOURCE_DIR}/build/unity")

# Sets OUT to the first of the given folders that holds Unity, or to nothing.
function(unity_find out)
  foreach(dir IN LISTS ARGN)
    if(EXISTS "${dir}/unity.c" AND EXISTS "${dir}/unity.h" AND EXISTS "${dir}/unity_internals.h")
      set(${out} "${dir}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

# Tries the pool of every mirror that apt knows; fills unity_kept/debian.
function(unity_from_debian)
  set(path "pool/main/n/ntpsec/ntpsec_1.2.2+dfsg1.orig.tar.xz")
  set(sha256 53e527e3d04d551d41af2d359c2715c2de5f5bfa2a695d4ec1a811b3e9137f63)
  find_program(UNITY_APT_GET apt-get)
  mark_as_advanced(UNITY_APT_GET)
  if(NOT UNITY_APT_GET)
    return()
  endif()
  execute_process(COMMAND "${UNITY_APT_GET}" indextargets --format "$(REPO_URI)"
                  OUTPUT_VARIABLE bases ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "\n" ";" bases "${bases}")
  list(REMOVE_DUPLICATES bases)
  string(REPLACE "+" "%2B" escaped "${path}") # some mirrors want the one, some the other
  set(archive "${unity_kept}/ntpsec.orig.tar.xz")
  foreach(base IN LISTS bases)
    string(REGEX REPLACE "/+$" "" base "${base}")
    foreach(name "${path}" "${escaped}")
      file(DOWNLOAD "${base}/${name}" "${archive}" TIMEOUT 60 INACTIVITY_TIMEOUT 15 STATUS status)
      list(GET status 0 failed)
      if(failed)
        file(REMOVE "${archive}")
        continue()
      endif()
      file(SHA256 "${archive}" found)
      if(NOT found STREQUAL sha256)
        file(REMOVE "${archive}")
        continue()
      endif()
      file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${unity_kept}/part" PATTERNS "*/tests/unity/*")
      file(GLOB dir "${unity_kept}/part/*/tests/unity")
      file(RENAME "${dir}" "${unity_kept}/debian")
      file(REMOVE_RECURSE "${unity_kept}/part" "${archive}")
      return()
    endforeach()
  endforeach()
endfunction()

function(unity_from_git)
  find_program(UNITY_GIT_PROGRAM git)
  mark_as_advanced(UNITY_GIT_PROGRAM)
  if(NOT UNITY_GIT_PROGRAM)
    return()
  endif()
  file(REMOVE_RECURSE "${unity_kept}/git")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env GIT_TERMINAL_PROMPT=0 "${UNITY_GIT_PROGRAM}"
                          -c http.lowSpeedLimit=1000 -c http.lowSpeedTime=10 -c advice.detachedHead=false
                          clone --quiet --depth 1 --branch ${unity_tag} "${UNITY_GIT}" "${unity_kept}/git"
                  TIMEOUT 60 ERROR_QUIET OUTPUT_QUIET)
endfunction()

if(UNITY_ROOT)
  unity_find(unity_dir "${UNITY_ROOT}" "${UNITY_ROOT}/src")
  if(NOT unity_dir)
    message(FATAL_ERROR "UNITY_ROOT=${UNITY_ROOT}: no unity.c, unity.h and unity_internals.h there")
  endif()
else()
  file(MAKE_DIRECTORY "${unity_kept}")
  file(LOCK "${unity_kept}/lock" GUARD FILE TIMEOUT 300) # two build directories may be configured at once
  set(unity_places /usr/share/cmock/vendor/unity/src "${unity_kept}/debian" "${unity_kept}/git/src")
  foreach(unity_fetch IN ITEMS none debian git)
    if(unity_fetch STREQUAL "debian")
      message(STATUS "Unity: fetching it from the Debian source package ntpsec")
      unity_from_debian()
    elseif(unity_fetch STREQUAL "git")
      message(STATUS "Unity: fetching the upstream tag ${unity_tag}")
      unity_from_git()
    endif()
    unity_find(unity_dir ${unity_places})
    if(unity_dir)
      break()
    endif()
  endforeach()
  file(LOCK "${unity_kept}/lock" RELEASE)
endif()
if(NOT unity_dir)
  message(FATAL_ERROR
    "The tests need Unity (ThrowTheSwitch), and it could not be found or fetched. One of these helps:\n"
    "  - cmake -DUNITY_ROOT=dir ...   where dir holds unity.c, unity.h and unity_internals.h\n"
    "  - apt-get install cmock        where the distribution has that package\n"
    "  - apt-get update               so that apt knows its mirrors (the source package ntpsec contains Unity)\n"
    "  - cmake -DUNITY_GIT=url ...    a reachable clone of the upstream repository with the tag ${unity_tag}\n"
    "  - cmake -DBUILD_TESTING=OFF ...   to build without the tests")
endif()
message(STATUS "Unity: ${unity_dir}")

add_library(unity STATIC "${unity_dir}/unity.c")
target_include_directories(unity SYSTEM PUBLIC "${unity_dir}")
# What a test has said is written at once: the leak checker ends a process without a word of what is still in a buffer.
target_compile_definitions(unity PUBLIC UNITY_INCLUDE_DOUBLE UNITY_USE_FLUSH_STDOUT)
target_compile_options(unity PRIVATE -w)
