package branchline.inspector.extraction;

import java.math.BigDecimal;

/** Objects as Java apps have them. */
final class JavaShapes {
    private JavaShapes() {}

    static Object record() {
        return new Point(1, "2");
    }

    static Object order() {
        return new Order();
    }

    private record Point(int x, String y) {}

    private static class Base {
        protected boolean base = true;
    }

    private static final class Order extends Base {
        static int made = 1;
        private final BigDecimal total = BigDecimal.ONE;
        private final Line[] lines = {new Line(), null, new Line()};
        private transient String session = "x";
    }

    private static final class Line {
        public String sku = "s";
        public Long count = 2L;
    }
}
