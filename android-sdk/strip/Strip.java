import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Copies the classes of an artifact as they are released. Those that no app may name go without what only compilers and debuggers read of
 * them: Kotlin's metadata, which is most of a small class, annotations and the names of local variables. Lines stay, for stack traces.
 * Arguments: the folder of the classes, the one to write, and the path of the package that apps call, which is copied as it is.
 */
public final class Strip {
    private Strip() {}

    public static void main(String[] arguments) throws IOException {
        Path from = Path.of(arguments[0]);
        Path to = Path.of(arguments[1]);
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            Path name = from.relativize(file);
            boolean isKept = name.startsWith(arguments[2]) || !name.toString().endsWith(".class");
            byte[] bytes = Files.readAllBytes(file);
            Files.createDirectories(to.resolve(name).getParent());
            Files.write(to.resolve(name), isKept ? bytes : strip(bytes));
        }
    }

    /** A writer that is not given the reader makes a table of constants of its own, without those that nothing uses any more. */
    private static byte[] strip(byte[] bytes) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(bytes).accept(new Stripper(writer), 0);
        return writer.toByteArray();
    }

    private static final class Stripper extends ClassVisitor {
        Stripper(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitSource(String source, String debug) {
            super.visitSource(source, null);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return null;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
                @Override
                public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return null;
                }

                @Override
                public AnnotationVisitor visitParameterAnnotation(int parameter, String annotation, boolean visible) {
                    return null;
                }

                @Override
                public void visitAnnotableParameterCount(int count, boolean visible) {}

                @Override
                public void visitLocalVariable(
                        String variable, String type, String generic, Label start, Label end, int index) {}
            };
        }
    }
}
