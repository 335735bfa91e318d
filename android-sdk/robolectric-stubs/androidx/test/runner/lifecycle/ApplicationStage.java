package androidx.test.runner.lifecycle;

/** How far an Application is. */
public enum ApplicationStage {
    PRE_ON_CREATE,
    CREATED
}
