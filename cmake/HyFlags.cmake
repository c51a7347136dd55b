# Flags of every target. -ffp-contract=off: the same sums in every engine and build type, bit for bit. -fno-math-errno:
# nobody asks libm why, so a square root is one instruction.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF) # -std=c17
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden) # what include/hydevs declares is exported, and nothing else: scripts/symbols
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# The same bytes wherever it is built: no folder of the machine stands in what is compiled.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}=." "-ffile-prefix-map=${PROJECT_BINARY_DIR}=./build")

# A mistake with memory ends the program and is no way in. Sanitizers look for the same by themselves. Of control flow, returns are
# guarded: that costs no instruction, while marks at the beginning of functions are 2 % of a small run.
include(CheckPIESupported)
check_pie_supported()
if(NOT HYDEVS_SANITIZE AND NOT HYDEVS_FUZZ)
  include(CheckCCompilerFlag)
  check_c_compiler_flag(-fcf-protection=return HY_HAS_CF_PROTECTION)
  add_compile_options(-fstack-protector-strong "$<$<BOOL:${HY_HAS_CF_PROTECTION}>:-fcf-protection=return>")
  add_compile_options("$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>") # needs -O
  add_link_options(-Wl,-z,relro,-z,now)
endif()

add_compile_options(-Wall -Wextra -ffp-contract=off -fno-math-errno -fno-semantic-interposition)
add_compile_definitions(_GNU_SOURCE=) # what `#define _GNU_SOURCE` says; POSIX and M_PI beside C17

if(CMAKE_C_FLAGS MATCHES "-ffast-math|-Ofast|-funsafe-math")
  message(FATAL_ERROR "hydevs needs IEEE arithmetic: remove -ffast-math and its relatives from CMAKE_C_FLAGS")
endif()

if(HYDEVS_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "HYDEVS_FUZZ needs Clang: cmake --preset fuzz")
  endif()
  set(HYDEVS_SANITIZE "address,undefined")
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
# What only tests is linked by lld where it is installed: some 190 programs, each in half of the time. What is installed or
# measured has the linker of the system.
include(CheckLinkerFlag)
check_linker_flag(C -fuse-ld=lld HY_HAS_LLD)
if(HYDEVS_SANITIZE AND HY_HAS_LLD)
  add_link_options(-fuse-ld=lld)
endif()
if(HYDEVS_SANITIZE)
  add_compile_options("-fsanitize=${HYDEVS_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options("-fsanitize=${HYDEVS_SANITIZE}" -fno-sanitize-recover=all)
endif()
