import { Component, type ReactNode } from 'react'

interface Props {
  /** What stands in place of what could not be drawn; `retry` draws it anew. */
  renderFallback: (fault: unknown, retry: () => void) => ReactNode
  /** Told once of each fault. */
  onFault?: (fault: unknown) => void
  children: ReactNode
}

/** Keeps a fault of what it holds from taking down what is around it. */
export class FaultBoundary extends Component<Props, { fault: unknown; failed: boolean }> {
  override state = { fault: undefined, failed: false }

  static getDerivedStateFromError(fault: unknown) {
    return { fault, failed: true }
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
