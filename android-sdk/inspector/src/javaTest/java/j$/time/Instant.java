package j$.time;

/** A class of {@code java.time} as desugaring for older versions of Android names it. */
public final class Instant {
    private final long seconds = 0;

    @Override
    public String toString() {
        return Long.toString(seconds);
    }
}
