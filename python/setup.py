"""The metadata stands in pyproject.toml; setuptools asks here what cffi is to build."""
from setuptools import setup

setup(cffi_modules=["build_hydevs.py:for_setuptools"])
