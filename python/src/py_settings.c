/* The table of settings, in the words of the estimators. */
#include "py_core.h"

#include <stdlib.h>
#include <string.h>

static PyObject *text_about(const rls2_setting *setting, rls2_setting_text which)
{
    int64_t length = rls2_setting_tell(setting, which, RLS2_VOICE_PYTHON, NULL, 0);
    char *text = malloc((size_t)length + 1);
    if (!text) return PyErr_NoMemory();
    rls2_setting_tell(setting, which, RLS2_VOICE_PYTHON, text, length + 1);
    PyObject *made = PyUnicode_FromString(text);
    free(text);
    return made;
}

/* "a|b|c" as a list. */
static PyObject *choices_of(const rls2_setting *setting)
{
    PyObject *text = PyUnicode_FromString(rls2_setting_about(setting, RLS2_SETTING_CHOICES));
    PyObject *bar = PyUnicode_FromString("|");
    PyObject *list = NULL;
    if (text && bar)
        list = PyUnicode_GetLength(text) > 0 ? PyUnicode_Split(text, bar, -1) : PyList_New(0);
    Py_XDECREF(text);
    Py_XDECREF(bar);
    return list;
}

PyObject *choice_word(const char *setting, int k)
{
    PyObject *list = choices_of(rls2_setting_find(setting)), *word = NULL;
    if (list) word = PySequence_GetItem(list, k);
    Py_XDECREF(list);
    return word;
}

static PyObject *setting_tuple(const core_state *state, const rls2_setting *s)
{
    /* in the order of rls2_setting_kind and rls2_setting_scope */
    static const char *const kinds[] = {"flag",   "switch", "choice", "text",
                                        "column", "number", "count",  "list"};
    static const char *const scopes[] = {"reading", "data",   "testing", "fitting",
                                         "lambda",  "splits", "choice"};
    return PyObject_CallFunction(
        state->setting, "sNssNsNN", rls2_setting_about(s, RLS2_SETTING_NAME),
        text_about(s, RLS2_SETTING_PYTHON), kinds[rls2_setting_kind_of(s)],
        scopes[rls2_setting_scope_of(s)], choices_of(s),
        rls2_setting_about(s, RLS2_SETTING_DEFAULT), text_about(s, RLS2_SETTING_SENTENCE),
        text_about(s, RLS2_SETTING_HELP));
}

PyObject *settings_list(const core_state *state)
{
    PyObject *list = PyList_New((Py_ssize_t)rls2_setting_count());
    for (int64_t i = 0; list && i < rls2_setting_count(); i++) {
        PyObject *item = setting_tuple(state, rls2_setting_at(i));
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) Py_CLEAR(list);
    }
    return list;
}
