# libhydevs from all rooms so far, shared (`hydevs`) and static (`hydevs-static`) from the same objects, and what is
# installed beside it.
get_property(rooms GLOBAL PROPERTY HY_ROOMS)
if(NOT rooms)
  message(STATUS "no room has sources yet: no libhydevs")
  return()
endif()
set(objects)
foreach(room IN LISTS rooms)
  list(APPEND objects "$<TARGET_OBJECTS:${room}>")
endforeach()

add_library(hydevs SHARED ${objects})
add_library(hydevs-static STATIC ${objects})
# libhydevs.so.N, where N is HY_ABI and nothing else: it changes where programs have to be compiled anew (docs/c.md).
file(STRINGS "${PROJECT_SOURCE_DIR}/include/hydevs/version.h" abi REGEX "^#define HY_ABI [0-9]+U$")
string(REGEX REPLACE "^#define HY_ABI ([0-9]+)U$" "\\1" abi "${abi}")
set_target_properties(hydevs PROPERTIES VERSION "${abi}.${PROJECT_VERSION}" SOVERSION "${abi}")
set_target_properties(hydevs-static PROPERTIES OUTPUT_NAME hydevs)
foreach(library hydevs hydevs-static)
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${library} INTERFACE "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${library} PUBLIC PkgConfig::GLIB m PRIVATE PkgConfig::LIBXML hy-sundials hy-nlopt ${CMAKE_DL_LIBS})
endforeach()

if(BUILD_TESTING AND NOT HYDEVS_FUZZ AND NOT HYDEVS_SANITIZE) # sanitizers export names of their own
  add_test(NAME library/symbols COMMAND "${PROJECT_SOURCE_DIR}/scripts/symbols" "$<TARGET_FILE:hydevs>")
  set_tests_properties(library/symbols PROPERTIES LABELS ci)
endif()

# The .pc file finds its prefix from where it lies, so that an installed tree can be moved.
set(pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH HYDEVS_PC_TO_PREFIX "${pc_dir}" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" HYDEVS_PC_TO_PREFIX "${HYDEVS_PC_TO_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/hydevs.pc.in" "${PROJECT_BINARY_DIR}/hydevs.pc" @ONLY)

include(CMakePackageConfigHelpers)
set(hydevs_package "${CMAKE_INSTALL_LIBDIR}/cmake/hydevs")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/hydevs-config.cmake.in" "${PROJECT_BINARY_DIR}/hydevs-config.cmake"
                              INSTALL_DESTINATION "${hydevs_package}"
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/hydevs-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/hydevs-config.cmake" "${PROJECT_BINARY_DIR}/hydevs-config-version.cmake"
        DESTINATION "${hydevs_package}")

install(TARGETS hydevs hydevs-static)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/hydevs" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_BINARY_DIR}/hydevs.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg" PATTERN "*.xml")
install(PROGRAMS "${PROJECT_SOURCE_DIR}/docs/lessons/check" DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs/lessons")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DATADIR}/hydevs"
        FILES_MATCHING PATTERN "*.xml" PATTERN "*.c" PATTERN "README.md")

add_custom_target(uninstall COMMAND "${CMAKE_COMMAND}" -D "BUILD=${PROJECT_BINARY_DIR}" -P "${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake"
                  VERBATIM)
