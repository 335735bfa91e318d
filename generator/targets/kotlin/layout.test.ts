import { expect, test } from 'vitest';
import { layOut } from './layout.ts';

const long = 'a'.repeat(120);

const cases: { what: string; given: string; want: string }[] = [
  {
    what: 'blank lines that sections left behind go',
    given: '\n\nclass A {\n\n    val a = 1   \n\n\n    val b = 2\n\n}\n\n',
    want: 'class A {\n    val a = 1\n\n    val b = 2\n}\n',
  },
  {
    what: 'an import that nothing uses goes',
    given: 'import a.Used\nimport a.Unused\n\nclass A : Used\n',
    want: 'import a.Used\n\nclass A : Used\n',
  },
  {
    what: "Kotlin's own types have short names, and no backticks that nobody needs",
    given:
      'val a: kotlin.collections.List<kotlin.String> = b\nclass `Enum`\nval c: List<BacktickInlineBacktick>\nval `data`: `Status`? = null\n',
    want: 'val a: List<String> = b\nclass Enum\nval c: List<Inline>\nval `data`: Status? = null\n',
  },
  {
    what: 'a constant begins with a letter',
    given: 'enum class A {\n    @SerialName("1")\n    _1,\n}\n',
    want: 'enum class A {\n    @SerialName("1")\n    N1,\n}\n',
  },
  {
    what: 'one parameter stands on the line of its function',
    given: 'public suspend fun a(\n    b: Int,\n): C {\n    d()\n}\n',
    want: 'public suspend fun a(b: Int): C {\n    d()\n}\n',
  },
  { what: 'no parameter does', given: 'fun a(\n): C {\n    d()\n}\n', want: 'fun a(): C {\n    d()\n}\n' },
  {
    what: 'two do not',
    given: 'fun a(\n    b: Int,\n    c: Int,\n) = 1\n',
    want: 'fun a(\n    b: Int,\n    c: Int,\n) = 1\n',
  },
  {
    what: 'one that is too long does not',
    given: `fun ${long}(\n    b: Int,\n): ${long} {\n    d()\n}\n`,
    want: `fun ${long}(\n    b: Int,\n): ${long} {\n    d()\n}\n`,
  },
  {
    what: 'a type that finds no room stands on the next line',
    given: `class A(\n    public val ${long}: List<SomethingElse>? = null,\n)\n`,
    want: `class A(\n    public val ${long}:\n        List<SomethingElse>? = null,\n)\n`,
  },
  {
    what: 'a body without content goes',
    given: 'data class A(\n    val a: Int,\n) {\n}\n',
    want: 'data class A(\n    val a: Int,\n)\n',
  },
  {
    what: 'a dollar in a name of the contract is no template, and one in a template is',
    given: '    @SerialName("$ref")\n    request.query("$filter", filter)\n    "Hello $name"\n',
    want: '@SerialName("\\$ref")\n    request.query("\\$filter", filter)\n    "Hello $name"\n',
  },
];

test.each(cases)('$what', ({ given, want }) => {
  expect(layOut(given)).toBe(want);
  expect(layOut(want)).toBe(want);
});
