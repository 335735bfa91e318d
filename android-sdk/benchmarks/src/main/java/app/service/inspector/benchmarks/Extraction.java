package app.service.inspector.benchmarks;

import branchline.inspector.InspectorCore;
import branchline.inspector.queue.MessageIds;
import branchline.inspector.extraction.AndroidValueReader;
import branchline.inspector.extraction.JavaValueReader;
import branchline.inspector.extraction.SchemaExtractor;
import branchline.inspector.platform.AndroidClock;
import branchline.inspector.platform.Log;
import branchline.inspector.platform.SecureRandomSource;
import java.util.concurrent.TimeUnit;
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

/** What {@code extractSchema} of Android costs, beside the least that anyone could do. */
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

    private static InspectorCore inspector() {
        Log silent =
                (level, text) -> {
                    throw new IllegalStateException(text);
                };
        MessageIds ids = new MessageIds(AndroidClock.INSTANCE, SecureRandomSource.INSTANCE);
        SchemaExtractor extractor = new SchemaExtractor(new AndroidValueReader(new JavaValueReader()), silent);
        return new InspectorCore(extractor, AndroidClock.INSTANCE, ids, silent, null, null);
    }
}
