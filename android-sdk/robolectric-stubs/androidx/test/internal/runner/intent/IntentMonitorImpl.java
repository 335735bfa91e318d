package androidx.test.internal.runner.intent;

import android.content.Intent;
import androidx.test.runner.intent.IntentCallback;
import androidx.test.runner.intent.IntentMonitor;
import java.util.ArrayList;
import java.util.List;

/** What Robolectric registers. */
public final class IntentMonitorImpl implements IntentMonitor {
    private final List<IntentCallback> callbacks = new ArrayList<>();

    @Override
    public void addIntentCallback(IntentCallback callback) {
        callbacks.add(callback);
    }

    @Override
    public void removeIntentCallback(IntentCallback callback) {
        callbacks.remove(callback);
    }

    public void signalIntent(Intent intent) {
        for (IntentCallback callback : new ArrayList<>(callbacks)) callback.onIntentSent(intent);
    }
}
