package androidx.test.internal.runner.lifecycle;

import android.app.Application;
import androidx.test.runner.lifecycle.ApplicationLifecycleCallback;
import androidx.test.runner.lifecycle.ApplicationLifecycleMonitor;
import androidx.test.runner.lifecycle.ApplicationStage;
import java.util.ArrayList;
import java.util.List;

/** What Robolectric registers. */
public final class ApplicationLifecycleMonitorImpl implements ApplicationLifecycleMonitor {
    private final List<ApplicationLifecycleCallback> callbacks = new ArrayList<>();

    @Override
    public void addLifecycleCallback(ApplicationLifecycleCallback callback) {
        callbacks.add(callback);
    }

    @Override
    public void removeLifecycleCallback(ApplicationLifecycleCallback callback) {
        callbacks.remove(callback);
    }

    public void signalLifecycleChange(Application application, ApplicationStage stage) {
        for (ApplicationLifecycleCallback callback : new ArrayList<>(callbacks)) callback.onApplicationLifecycleChanged(application, stage);
    }
}
