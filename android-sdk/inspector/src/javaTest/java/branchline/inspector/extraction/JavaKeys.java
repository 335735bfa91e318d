package branchline.inspector.extraction;

/** Keys as only Java can make them. */
final class JavaKeys {
    private JavaKeys() {}

    static Object saysNull() {
        return new Object() {
            @Override
            public String toString() {
                return null;
            }
        };
    }
}
