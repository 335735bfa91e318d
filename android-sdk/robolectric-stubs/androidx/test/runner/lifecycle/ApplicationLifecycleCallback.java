package androidx.test.runner.lifecycle;

import android.app.Application;

/** Told of each stage of the Application. */
public interface ApplicationLifecycleCallback {
    void onApplicationLifecycleChanged(Application application, ApplicationStage stage);
}
