package app.service.inspector.checks;

import android.annotation.TargetApi;
import android.content.Context;

/** Planted: it came later, which the code knows. */
final class LaterButMarked {
    @TargetApi(23)
    static int call(Context context) {
        return context.getColor(0);
    }
}
