package app.service.inspector.benchmarks;

import branchline.inspector.InspectorCore;
import branchline.inspector.extraction.AndroidValueReader;
import branchline.inspector.extraction.JavaValueReader;
import branchline.inspector.extraction.SchemaExtractor;
import branchline.inspector.platform.AndroidClock;
import branchline.inspector.platform.Log;
import java.util.concurrent.TimeUnit;
import org.json.JSONException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What {@code extractSchema} of Android costs, beside the least that anyone could do, and beside what others do. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class Extraction {
    @Param public Inputs input;

    private final InspectorCore inspector = inspector();
    private Object properties;

    @Setup
    public void make() {
        properties = input.make();
    }

    @Benchmark
    public Object extract() {
        return inspector.extractSchema(properties);
    }

    @Benchmark
    public int walk() throws ReflectiveOperationException {
        return Walk.through(properties);
    }

    @Benchmark
    public Object usual() throws ReflectiveOperationException, JSONException {
        return Usual.schemaOf(properties);
    }

    private static InspectorCore inspector() {
        Log silent =
                new Log() {
                    @Override
                    public void line(int level, String text) {
                        throw new IllegalStateException(text);
                    }

                    @Override
                    public boolean shows(int level) {
                        return false;
                    }
                };
        SchemaExtractor extractor = new SchemaExtractor(new AndroidValueReader(new JavaValueReader()), silent);
        return new InspectorCore(extractor, AndroidClock.INSTANCE, null, silent, null, null);
    }
}
