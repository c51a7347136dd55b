# hy_tells_build(TARGET FILE...): these .c files of TARGET may include hy_build.h, which defines HY_BUILD (version.cmake).
set(hy_version "${CMAKE_COMMAND}" -D "SOURCE=${PROJECT_SOURCE_DIR}" -D "VERSION=${PROJECT_VERSION}"
               -D "HEADER=${PROJECT_BINARY_DIR}/version/hy_build.h" -P "${PROJECT_SOURCE_DIR}/cmake/version.cmake")
execute_process(COMMAND ${hy_version}) # so that it is there for who only looks, as scripts/lint does
add_custom_target(hy-version COMMAND ${hy_version} BYPRODUCTS "${PROJECT_BINARY_DIR}/version/hy_build.h" VERBATIM)

function(hy_tells_build target)
  add_dependencies(${target} hy-version)
  set_property(SOURCE ${ARGN} APPEND PROPERTY INCLUDE_DIRECTORIES "${PROJECT_BINARY_DIR}/version")
endfunction()
