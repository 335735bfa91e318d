package androidx.test.runner.intent;

/** Where Robolectric leaves its monitor, and finds it again. */
public final class IntentMonitorRegistry {
    private static IntentMonitor instance;

    private IntentMonitorRegistry() {}

    public static IntentMonitor getInstance() {
        if (instance == null) throw new IllegalStateException("No monitor is registered.");
        return instance;
    }

    public static void registerInstance(IntentMonitor monitor) {
        instance = monitor;
    }
}
