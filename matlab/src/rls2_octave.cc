/* The one thing that C cannot do in Octave: catch what Ctrl-C throws inside a function.
 *
 * Octave answers Ctrl-C by an exception of C++. From a progress function it would pass through the
 * library, lose what that holds and leave its threads waiting. It is caught here and Ctrl-C made
 * pending again: the library stops by itself, and Octave is interrupted when the call has ended. */
#include <octave/quit.h>

#include "mex.h"

extern "C" int call_function(int count, mxArray **in);

/* feval (in{:}); 1 where it failed or was interrupted. */
int call_function(int count, mxArray **in)
{
    try {
        mxArray *error = mexCallMATLABWithTrap(0, nullptr, count, in, "feval");
        if (error) mxDestroyArray(error);
        return error != nullptr;
    } catch (...) {
        octave_interrupt_state = 1;
        octave_signal_caught = 1;
        return 1;
    }
}
