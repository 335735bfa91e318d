package app.service.inspector.checks;

import android.app.NotificationChannel;
import android.content.Context;

/** Planted: both came after API level 21, of an old class and as a class of their own. */
final class LaterAndroid {
    static int call(Context context, NotificationChannel channel) {
        return context.getColor(channel.getImportance());
    }
}
