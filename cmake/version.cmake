# Which hydevs this is, as hydevs --version and the provenance of a recording say it: the version, and in a checkout the
# commit: 0.2.0+g0ec2a2b81c3f, and .dirty where files are others than the commit's. Run by every build, since a
# commit is no reason to configure; the header is only written anew when it changes. Equal sources make equal bytes.
#
# cmake -D SOURCE=folder -D VERSION=0.2.0 -D HEADER=file -P version.cmake
set(build "${VERSION}")
find_program(git git)
if(git)
  set(ask "${git}" --no-optional-locks -C "${SOURCE}")
  execute_process(COMMAND ${ask} rev-parse --show-toplevel OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH "${SOURCE}" source)
  # An export in a folder of somebody else's repository is none of its commits.
  if(top AND source STREQUAL top)
    execute_process(COMMAND ${ask} describe --always --dirty=.dirty --abbrev=12 --exclude=* RESULT_VARIABLE status
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(status EQUAL 0)
      set(build "${VERSION}+g${commit}")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#define HY_BUILD \"${build}\"\n" @ONLY)
