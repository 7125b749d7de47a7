/* FMI 3.0 co-simulation by a process of Interstage beside it: numbers go through two pipes. POSIX, C99.

   Value references: 0 the time, then inputs and parameters, then outputs. To the process: a letter ('b' begin, 's'
   step), the time to come to, all inputs. From it: 0 (flies), 1 (has ended) or 2 (cannot), then the outputs, or
   the length of a sentence and the sentence. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define INPUTS @INPUTS@
#define OUTPUTS @OUTPUTS@
static const double START[INPUTS + 1] = {@START@};

enum { OK, WARNING, DISCARD, ERROR };
enum { FLIES, ENDED, CANNOT };
typedef void (*Log)(void *, int, const char *, const char *);
typedef struct {
    double in[INPUTS + 1], out[OUTPUTS], time, origin;
    bool begun, ended;
    pid_t process;
    int to, from;
    void *environment;
    Log log;
} Instance;

static int failed(Instance *i, const char *message)
{
    if (i->log) i->log(i->environment, ERROR, "logStatusError", message);
    return ERROR;
}

static bool sent(int to, const void *data, size_t size)
{
    for (const char *p = data; size;) {
        ssize_t n = write(to, p, size);
        if (n <= 0) return false;
        p += n, size -= (size_t)n;
    }
    return true;
}

static bool got(int from, void *data, size_t size)
{
    for (char *p = data; size;) {
        ssize_t n = read(from, p, size);
        if (n <= 0) return false;
        p += n, size -= (size_t)n;
    }
    return true;
}

static int asked(Instance *i, char what, double until)
{
    uint32_t length = 0;
    char answer = CANNOT, message[4096] = "";
    bool said = sent(i->to, &what, 1) && sent(i->to, &until, sizeof until)
        && sent(i->to, i->in, INPUTS * sizeof(double)) && got(i->from, &answer, 1);
    if (!said) return failed(i, "the command interstage does not answer; it must be on the path of this machine");
    if (answer != CANNOT) {
        i->ended = answer == ENDED;
        return got(i->from, i->out, sizeof i->out) ? OK : failed(i, "the answer of interstage ends too early");
    }
    if (got(i->from, &length, sizeof length) && length < sizeof message) got(i->from, message, length);
    return failed(i, message);
}

static int begun(Instance *i)
{
    if (i->begun) return OK;
    i->begun = true;
    return asked(i, 'b', 0.0);
}

static void launched(Instance *i, const char *resources)
{
    int to[2], from[2];
    const char *command = getenv("INTERSTAGE_COMMAND");
    i->to = i->from = -1;
    if (pipe(to) || pipe(from)) return;
    /* Processes of other instances must not hold these open. */
    fcntl(to[1], F_SETFD, FD_CLOEXEC), fcntl(from[0], F_SETFD, FD_CLOEXEC);
    signal(SIGPIPE, SIG_IGN);
    i->process = fork();
    if (i->process == 0) {
        dup2(to[0], 0), dup2(from[1], 1);
        close(to[0]), close(from[1]);
        execlp(command ? command : "interstage", "interstage", "serve-fmu", resources, (char *)NULL);
        _exit(127);
    }
    close(to[0]), close(from[1]);
    i->to = to[1], i->from = from[0];
}

const char *fmi3GetVersion(void) { return "3.0"; }

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
    bool logging, bool events, bool early, const uint32_t *intermediate, size_t count, void *environment, Log log,
    void *update)
{
    (void)name, (void)visible, (void)logging, (void)events, (void)early, (void)intermediate, (void)count, (void)update;
    Instance *i = calloc(1, sizeof *i);
    if (!i) return NULL;
    i->environment = environment, i->log = log;
    memcpy(i->in, START, sizeof START);
    if (strcmp(token, "@TOKEN@") || !resources) {
        failed(i, "the token is not that of this FMU, or its resources are not named");
        free(i);
        return NULL;
    }
    launched(i, resources);
    return i;
}

void fmi3FreeInstance(void *instance)
{
    Instance *i = instance;
    if (!i) return;
    close(i->to), close(i->from);
    if (i->process > 0) waitpid(i->process, NULL, 0);
    free(i);
}

int fmi3EnterInitializationMode(void *instance, bool tolerant, double tolerance, double start, bool stops, double stop)
{
    Instance *i = instance;
    (void)tolerant, (void)tolerance, (void)stops, (void)stop;
    i->time = i->origin = start, i->begun = i->ended = false;
    return OK;
}

int fmi3ExitInitializationMode(void *instance) { return begun(instance); }
int fmi3Terminate(void *instance) { return (void)instance, OK; }
int fmi3SetDebugLogging(void *instance, bool on, size_t count, const char *const *names)
{
    return (void)instance, (void)on, (void)count, (void)names, OK;
}

int fmi3Reset(void *instance)
{
    Instance *i = instance;
    memcpy(i->in, START, sizeof START);
    i->begun = i->ended = false;
    return OK;
}

int fmi3GetFloat64(void *instance, const uint32_t *references, size_t count, double *values, size_t room)
{
    Instance *i = instance;
    if (room < count) return failed(i, "there is no room for the values");
    for (size_t k = 0; k < count; k++) {
        uint32_t r = references[k];
        if (r > INPUTS + OUTPUTS) return failed(i, "there is no variable of this reference");
        if (r > INPUTS && begun(i) != OK) return ERROR;
        values[k] = r == 0 ? i->time : r <= INPUTS ? i->in[r - 1] : i->out[r - 1 - INPUTS];
    }
    return OK;
}

int fmi3SetFloat64(void *instance, const uint32_t *references, size_t count, const double *values, size_t given)
{
    Instance *i = instance;
    if (given < count) return failed(i, "there are fewer values than references");
    for (size_t k = 0; k < count; k++) {
        if (references[k] == 0 || references[k] > INPUTS) return failed(i, "only inputs and parameters can be set");
        i->in[references[k] - 1] = values[k];
    }
    return OK;
}

int fmi3DoStep(void *instance, double at, double size, bool final, bool *event, bool *terminate, bool *early, double *last)
{
    Instance *i = instance;
    (void)final;
    if (begun(i) != OK) return ERROR;
    *event = *early = false, *terminate = i->ended, *last = i->time;
    if (i->ended) return DISCARD;
    if (asked(i, 's', at + size - i->origin) != OK) return ERROR;
    *last = i->time = at + size, *terminate = i->ended;
    return OK;
}

/* What the description does not offer. */
#define NOT(name) int name(void *instance) { return failed(instance, #name " is not offered by this FMU"); }
#define NEITHER(type) NOT(fmi3Get##type) NOT(fmi3Set##type)
void *fmi3InstantiateModelExchange(void) { return NULL; }
void *fmi3InstantiateScheduledExecution(void) { return NULL; }
NEITHER(Float32) NEITHER(Int8) NEITHER(UInt8) NEITHER(Int16) NEITHER(UInt16) NEITHER(Int32) NEITHER(UInt32)
NEITHER(Int64) NEITHER(UInt64) NEITHER(Boolean) NEITHER(String) NEITHER(Binary) NEITHER(Clock) NEITHER(FMUState)
NEITHER(IntervalDecimal) NEITHER(IntervalFraction) NEITHER(ShiftDecimal) NEITHER(ShiftFraction)
NOT(fmi3GetNumberOfVariableDependencies) NOT(fmi3GetVariableDependencies) NOT(fmi3FreeFMUState)
NOT(fmi3SerializedFMUStateSize) NOT(fmi3SerializeFMUState) NOT(fmi3DeserializeFMUState)
NOT(fmi3GetDirectionalDerivative) NOT(fmi3GetAdjointDerivative) NOT(fmi3EnterConfigurationMode)
NOT(fmi3ExitConfigurationMode) NOT(fmi3EvaluateDiscreteStates) NOT(fmi3UpdateDiscreteStates)
NOT(fmi3EnterContinuousTimeMode) NOT(fmi3CompletedIntegratorStep) NOT(fmi3SetTime) NOT(fmi3SetContinuousStates)
NOT(fmi3GetContinuousStateDerivatives) NOT(fmi3GetEventIndicators) NOT(fmi3GetContinuousStates)
NOT(fmi3GetNominalsOfContinuousStates) NOT(fmi3GetNumberOfEventIndicators) NOT(fmi3GetNumberOfContinuousStates)
NOT(fmi3EnterStepMode) NOT(fmi3EnterEventMode) NOT(fmi3GetOutputDerivatives) NOT(fmi3ActivateModelPartition)
