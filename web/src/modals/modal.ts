import {
  KEPT_ON_NAVIGATION,
  type ModalFields,
  type ModalKind,
  type ModalProps,
  type ModalState,
  type ModalValue,
  UNANSWERED,
} from './modal-kinds.ts'

/** Opens modals, one at a time, and gives their answers to whoever opened them (A2.3-01). */
export interface ModalManager {
  /**
   * Opens a modal and waits for its answer. What is open already is closed without one. Only in the browser.
   *
   * @example
   * if (await modal.open('confirm', { title: t('library.remove') })) await remove()
   */
  open<K extends ModalKind>(kind: K, props: ModalProps<K>): Promise<ModalValue<K>>
  /** Closes the modal `state` with an answer. One that is not open any more has been answered. */
  answer<K extends ModalKind>(state: ModalState<K>, value: ModalValue<K>): void
  /** Sets what the modal `state` gives back if it is closed without another answer from now on. */
  settle<K extends ModalKind>(state: ModalState<K>, value: ModalValue<K>): void
  /** Closes what is open without an answer. */
  dismiss(): void
  /** Tells that the viewer goes to another page: what is open closes, except the kinds that stay (A2.3-03). */
  navigated(): void
  /** What is open now. */
  current(): ModalState | null
  /** Waits until nothing is open, for what may wait and must not close what somebody is about to answer. */
  free(): Promise<void>
  /** Calls back when something opens or closes; returns how to end that. */
  subscribe(changed: () => void): () => void
}

interface OpenModal {
  state: ModalState
  /** What it gives back when it is closed without an answer. */
  unanswered: ModalValue<ModalKind>
  resolve: (value: ModalValue<ModalKind>) => void
}

/** What a modal holds that was given nothing. */
const EMPTY: ModalFields = {
  title: '',
  description: '',
  primaryLabel: '',
  negativeLabel: '',
  value: '',
  link: '',
  shareUrl: '',
  itemContent: null,
  offers: [],
  transactionalOffers: [],
  isNeedPlayer: false,
  isDisplayModalSwitchProfile: false,
}

/** A manager of its own, closed. The pages share {@link modal}. */
export function createModals(): ModalManager {
  const listeners = new Set<() => void>()
  let opened = 0
  let open: OpenModal | undefined

  function close(closed: OpenModal, value: ModalValue<ModalKind>): void {
    open = undefined
    closed.resolve(value)
  }

  function tell(): void {
    for (const changed of listeners) changed()
  }

  function subscribe(changed: () => void): () => void {
    listeners.add(changed)
    return () => listeners.delete(changed)
  }

  async function closed(): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = subscribe(() => {
        if (open !== undefined) return
        end()
        resolve()
      })
    })
  }

  return {
    open: (kind, props) =>
      new Promise((resolve) => {
        if (open !== undefined) close(open, open.unanswered)
        opened += 1
        open = {
          // The compiler does not follow that fields and props of one kind make the state of that kind.
          state: { ...EMPTY, ...ofKind(kind), ...props, id: opened, type: kind } as unknown as ModalState,
          unanswered: UNANSWERED[kind],
          resolve,
        }
        tell()
      }),
    answer: (state, value) => {
      if (open?.state.id !== state.id) return
      close(open, value)
      tell()
    },
    settle: (state, value) => {
      if (open?.state.id === state.id) open.unanswered = value
    },
    dismiss: () => {
      if (open === undefined) return
      close(open, open.unanswered)
      tell()
    },
    navigated: () => {
      if (open === undefined || KEPT_ON_NAVIGATION.has(open.state.type)) return
      close(open, open.unanswered)
      tell()
    },
    current: () => open?.state ?? null,
    free: async () => {
      // An answer may at once open the next one.
      for (;;) {
        if (open === undefined) return
        await closed()
      }
    },
    subscribe,
  }
}

/** The manager of the pages. */
export const modal: ModalManager = createModals()

function ofKind(kind: ModalKind): Partial<ModalFields> {
  return { isNeedPlayer: kind === 'download', isDisplayModalSwitchProfile: kind === 'switchProfile' }
}
