package androidx.test.runner.lifecycle;

/** Where Robolectric leaves its monitor, and finds it again. */
public final class ApplicationLifecycleMonitorRegistry {
    private static ApplicationLifecycleMonitor instance;

    private ApplicationLifecycleMonitorRegistry() {}

    public static ApplicationLifecycleMonitor getInstance() {
        if (instance == null) throw new IllegalStateException("No monitor is registered.");
        return instance;
    }

    public static void registerInstance(ApplicationLifecycleMonitor monitor) {
        instance = monitor;
    }
}
