package androidx.test.runner.lifecycle;

/** Where Robolectric leaves its monitor, and finds it again. */
public final class ActivityLifecycleMonitorRegistry {
    private static ActivityLifecycleMonitor instance;

    private ActivityLifecycleMonitorRegistry() {}

    public static ActivityLifecycleMonitor getInstance() {
        if (instance == null) throw new IllegalStateException("No monitor is registered.");
        return instance;
    }

    public static void registerInstance(ActivityLifecycleMonitor monitor) {
        instance = monitor;
    }
}
