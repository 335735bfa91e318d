package androidx.test.runner.intent;

import android.app.Instrumentation;
import android.content.Intent;

/** Answers intents in place of the Activities that they are for. */
public interface IntentStubber {
    Instrumentation.ActivityResult getActivityResultForIntent(Intent intent);
}
