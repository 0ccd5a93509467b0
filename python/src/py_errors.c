/* Failures of the library as exceptions. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "py_core.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static PyObject *class_of(const core_state *state, rls2_status status)
{
    switch (status) {
    case RLS2_ERR_MEMORY: return PyExc_MemoryError;
    case RLS2_ERR_IO: return PyExc_OSError;
    case RLS2_ERR_NUMERIC: return PyExc_FloatingPointError;
    default: return state->error;
    }
}

/* Steals the value. 0, or -1 with an exception. */
static int set_attribute(PyObject *object, const char *name, PyObject *value)
{
    if (!value) return -1;
    int result = PyObject_SetAttrString(object, name, value);
    Py_DECREF(value);
    return result;
}

static int describe(PyObject *exception, const rls2_error *err)
{
    if (set_attribute(exception, "status", PyLong_FromLong((long)err->status)) < 0) return -1;
    if (set_attribute(exception, "position", PyLong_FromLongLong(err->position)) < 0) return -1;
    return set_attribute(exception, "status_text",
                         PyUnicode_FromString(rls2_status_text(err->status)));
}

static PyObject *raise_as(PyObject *class, const rls2_error *err)
{
    if (PyErr_Occurred()) return NULL;
    PyObject *text =
        PyUnicode_DecodeUTF8(err->message, (Py_ssize_t)strlen(err->message), "replace");
    PyObject *exception = text ? PyObject_CallFunctionObjArgs(class, text, NULL) : NULL;
    Py_XDECREF(text);
    if (exception && describe(exception, err) == 0) PyErr_SetObject(class, exception);
    Py_XDECREF(exception);
    return NULL;
}

PyObject *raise_library(const core_state *state, const rls2_error *err)
{
    return raise_as(class_of(state, err->status), err);
}

/* The library says it in words; the file system is asked again for the class. */
static PyObject *class_of_reading(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) return errno == ENOENT ? PyExc_FileNotFoundError : PyExc_OSError;
    if (S_ISDIR(about.st_mode)) return PyExc_IsADirectoryError;
    return access(path, R_OK) == 0 ? PyExc_OSError : PyExc_PermissionError;
}

PyObject *raise_reading(const core_state *state, const rls2_error *err, const char *path)
{
    return err->status == RLS2_ERR_IO ? raise_as(class_of_reading(path), err)
                                      : raise_library(state, err);
}

PyObject *raise_error(const core_state *state, rls2_status status, const char *format, ...)
{
    rls2_error err = {.status = status, .position = -1};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err.message, sizeof err.message, format, arguments);
    va_end(arguments);
    return raise_library(state, &err);
}

int check_index(int64_t i, int64_t count, const char *what)
{
    if (i >= 0 && i < count) return 0;
    PyErr_Format(PyExc_IndexError, "%s %lld is out of range: there are %lld", what, (long long)i,
                 (long long)count);
    return -1;
}
