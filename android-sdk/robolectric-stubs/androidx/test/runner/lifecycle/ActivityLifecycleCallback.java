package androidx.test.runner.lifecycle;

import android.app.Activity;

/** Told of each stage of each Activity. */
public interface ActivityLifecycleCallback {
    void onActivityLifecycleChanged(Activity activity, Stage stage);
}
