/** SQL text is built once for each table declaration and shape of a statement: tests declare several tables of one name. */
import type { AnyTable } from "../../ports/table.ts"

/** A value for each shape of a statement on one table. */
export class ByShape<A> {
  readonly #tables = new WeakMap<AnyTable, Map<string, A>>()

  /** The value for this shape, built on its first use. */
  get(table: AnyTable, shape: string, build: () => A): A {
    const shapes = this.#tables.get(table) ?? new Map<string, A>()
    const known = shapes.get(shape)
    if (known !== undefined) return known
    const built = build()
    this.#tables.set(table, shapes.set(shape, built))
    return built
  }
}

interface Sequence<Part extends object> {
  text?: string
  readonly longer: WeakMap<Part, Sequence<Part>>
}

/** A text for each sequence of parts, which are objects that live as long as their table declarations. */
export class TextBySequence<Part extends object> {
  readonly #empty: Sequence<Part> = { longer: new WeakMap() }

  /** The text for this sequence, built on its first use. */
  get(parts: ReadonlyArray<Part>, build: () => string): string {
    let sequence = this.#empty
    for (const part of parts) {
      const longer: Sequence<Part> = sequence.longer.get(part) ?? { longer: new WeakMap() }
      sequence.longer.set(part, longer)
      sequence = longer
    }
    return (sequence.text ??= build())
  }
}
