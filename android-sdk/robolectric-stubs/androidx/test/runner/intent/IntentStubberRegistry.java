package androidx.test.runner.intent;

/** Where a test leaves its stubber, if it has one. */
public final class IntentStubberRegistry {
    private static IntentStubber instance;

    private IntentStubberRegistry() {}

    public static void load(IntentStubber stubber) {
        instance = stubber;
    }

    public static boolean isLoaded() {
        return instance != null;
    }

    public static IntentStubber getInstance() {
        return instance;
    }

    public static synchronized void reset() {
        instance = null;
    }
}
