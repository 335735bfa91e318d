import {
  IndentationText,
  type InterfaceDeclarationStructure,
  Project,
  QuoteKind,
  StructureKind,
  type TypeAliasDeclarationStructure,
} from 'ts-morph';

/** An interface, as ts-morph describes one. */
export type InterfaceDeclaration = Omit<InterfaceDeclarationStructure, 'kind'> & { kind: 'Interface' };
/** A type alias, as ts-morph describes one. */
export type TypeDeclaration = Omit<TypeAliasDeclarationStructure, 'kind'> & { kind: 'TypeAlias' };
export type Declaration = InterfaceDeclaration | TypeDeclaration;

/** Writes declarations as a source file. */
export function printDeclarations(declarations: readonly Declaration[]): string {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces, quoteKind: QuoteKind.Single },
  });
  const statements = declarations.map((declaration) =>
    declaration.kind === 'Interface'
      ? { ...declaration, kind: StructureKind.Interface as const }
      : { ...declaration, kind: StructureKind.TypeAlias as const },
  );
  const file = project.createSourceFile('declarations.ts', { statements });
  // The printer leaves blanks behind "=" where the type begins on the next line.
  return file.getFullText().replaceAll(/ +$/gm, '');
}
