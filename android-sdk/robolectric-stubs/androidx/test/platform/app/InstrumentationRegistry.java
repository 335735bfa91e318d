package androidx.test.platform.app;

import android.app.Instrumentation;
import android.os.Bundle;

/** Where Robolectric leaves its instrumentation, and finds it again. */
public final class InstrumentationRegistry {
    private static volatile Instrumentation instrumentation;
    private static volatile Bundle arguments;

    private InstrumentationRegistry() {}

    public static Instrumentation getInstrumentation() {
        if (instrumentation == null) throw new IllegalStateException("No instrumentation is registered.");
        return instrumentation;
    }

    public static Bundle getArguments() {
        return new Bundle(arguments);
    }

    public static void registerInstance(Instrumentation instance, Bundle itsArguments) {
        instrumentation = instance;
        arguments = itsArguments == null ? null : new Bundle(itsArguments);
    }
}
