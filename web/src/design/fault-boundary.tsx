import { Component, type ReactNode } from 'react'

interface Props {
  /** What stands in place of what could not be drawn; `retry` draws it anew. */
  renderFallback: (fault: unknown, retry: () => void) => ReactNode
  /** Told once of each fault. */
  onFault?: (fault: unknown) => void
  /** What the children are drawn from, as many values each time. When one of them changes they are drawn anew by themselves. */
  from?: readonly unknown[]
  children: ReactNode
}

interface State {
  fault: unknown
  failed: boolean
  /** What the children were last drawn from. */
  from: readonly unknown[]
}

const NOTHING: readonly unknown[] = []

/** Keeps a fault of what it holds from taking down what is around it. */
export class FaultBoundary extends Component<Props, State> {
  override state: State = { fault: undefined, failed: false, from: this.props.from ?? NOTHING }

  static getDerivedStateFromError(fault: unknown) {
    return { fault, failed: true }
  }

  // Data that comes after the fault heals it, whoever asked for it: a retry alone would draw what is there when it ends.
  static getDerivedStateFromProps({ from = NOTHING }: Props, state: State): State | null {
    if (from.every((value, index) => value === state.from[index])) return null
    return { fault: undefined, failed: false, from }
  }

  override componentDidCatch(fault: unknown): void {
    this.props.onFault?.(fault)
  }

  override render(): ReactNode {
    const { fault, failed } = this.state
    return failed ? this.props.renderFallback(fault, this.#retry) : this.props.children
  }

  readonly #retry = () => this.setState({ fault: undefined, failed: false })
}
