package androidx.test.runner.intent;

/** Sees the intents that are sent. */
public interface IntentMonitor {
    void addIntentCallback(IntentCallback callback);

    void removeIntentCallback(IntentCallback callback);
}
