import android.app.Activity;
import android.view.View;
import android.view.ViewGroup;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;

/** Starts the app that is on the class path, presses its button, leaves it, and stays until the input ends. */
@RunWith(RobolectricTestRunner.class)
public final class Device {
    @Test
    public void use() throws Exception {
        Class<? extends Activity> main = Class.forName(System.getProperty("activity")).asSubclass(Activity.class);
        ActivityController<? extends Activity> activity = Robolectric.buildActivity(main).setup();
        ViewGroup content = activity.get().findViewById(android.R.id.content);
        View button = content.getChildAt(0);
        button.performClick();
        activity.pause().stop();
        System.out.println("USED");
        while (System.in.read() >= 0) continue;
    }
}
