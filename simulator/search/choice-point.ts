/** A choice point of a run, as strategies see it. */
export interface ChoicePoint {
  /** Which runnable transition is next, or whether a fault is injected. */
  readonly kind: "order" | "fault"
  readonly options: ReadonlyArray<string>
  /** For an order: the waiting transitions, in the order of the options. */
  readonly offers: ReadonlyArray<WaitingTransition>
  /** The footprint of the transition since the last order choice. */
  readonly footprint: TransitionFootprint
  /** A digest of everything that determines the rest of the run and its verdict. */
  readonly stateHash: () => string
}

/** A waiting transition: the fiber history that it continues, and the number of the wait that ends. */
export interface WaitingTransition {
  readonly history?: { readonly name: string } | undefined
  readonly wait?: number | undefined
}

export interface TransitionFootprint {
  readonly reads: ReadonlySet<string>
  readonly writes: ReadonlySet<string>
  /** True if an observer can see an effect of it. */
  readonly isVisible: boolean
}

/** Picks an option by its index, or prunes the run. */
export type Decider = (point: ChoicePoint) => number | "CUT"
