import { Component, type ReactNode } from 'react'

interface Props {
  /** Renders content in place of children that failed to render. `retry` renders the children again. */
  renderFallback: (fault: unknown, retry: () => void) => ReactNode
  /** Called once per error. */
  onFault?: (fault: unknown) => void
  /**
   * Values that the children depend on. When a value changes, the children render again. The number of values must
   * not change.
   */
  from?: readonly unknown[]
  children: ReactNode
}

interface State {
  fault: unknown
  failed: boolean
  /** The values of `from` at the last rendering of the children. */
  from: readonly unknown[]
}

const NOTHING: readonly unknown[] = []

/** An error boundary: a rendering error of its children does not affect the components around it. */
export class FaultBoundary extends Component<Props, State> {
  override state: State = { fault: undefined, failed: false, from: this.props.from ?? NOTHING }

  static getDerivedStateFromError(fault: unknown) {
    return { fault, failed: true }
  }

  // A changed value in `from` clears the error. `retry` alone would not be enough, because the missing data may
  // arrive only after the retry.
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
