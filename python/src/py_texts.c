/* Texts in and out. */
#include "py_core.h"

#include <stdlib.h>
#include <string.h>

const char *text_of(PyObject *object, const char *what)
{
    Py_ssize_t length;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s: a str is needed", what);
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(object, &length);
    if (!text || strlen(text) == (size_t)length) return text;
    PyErr_Format(PyExc_ValueError, "%s: %R has a NUL character", what, object);
    return NULL;
}

int texts_of(PyObject *sequence, const char *what, int64_t *count, const char ***texts,
             PyObject **keep)
{
    *texts = NULL;
    *keep = NULL;
    if (PyUnicode_Check(sequence)) {
        PyErr_Format(PyExc_TypeError, "%s: a sequence of str is needed, not one str", what);
        return -1;
    }
    PyObject *list = PySequence_List(sequence);
    if (!list) return -1;
    *count = (int64_t)PyList_Size(list);
    const char **made = calloc((size_t)*count + 1, sizeof *made);
    if (!made) PyErr_NoMemory();
    int64_t i = 0;
    while (made && i < *count && (made[i] = text_of(PyList_GetItem(list, (Py_ssize_t)i), what)))
        i++;
    if (!made || i < *count) {
        free(made);
        Py_DECREF(list);
        return -1;
    }
    *texts = made;
    *keep = list;
    return 0;
}

PyObject *list_of_texts(int64_t count, const char *(*text)(const void *user, int64_t i),
                        const void *user)
{
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *item = PyUnicode_FromString(text(user, i));
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *text_or_none(const char *text)
{
    if (text) return PyUnicode_FromString(text);
    Py_INCREF(Py_None);
    return Py_None;
}
