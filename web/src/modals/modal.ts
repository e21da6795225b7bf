import {
  KEPT_ON_NAVIGATION,
  type ModalFields,
  type ModalKind,
  type ModalProps,
  type ModalState,
  type ModalValue,
  UNANSWERED,
} from './modal-kinds.ts'

/** Opens modals, one at a time, and returns their answers to the callers (A2.3-01). */
export interface ModalManager {
  /**
   * Opens a modal and waits for its answer. A modal that is already open closes without an answer. Works only
   * in the browser.
   *
   * @example if (await modal.open('confirm', { title: t('library.remove') })) await remove()
   */
  open<K extends ModalKind>(kind: K, props: ModalProps<K>): Promise<ModalValue<K>>
  /** Closes the modal `state` with an answer. Does nothing for a modal that is no longer open. */
  answer<K extends ModalKind>(state: ModalState<K>, value: ModalValue<K>): void
  /**
   * Sets the answer that the caller gets if the modal `state` closes without `answer`. Does nothing for a modal that is
   * no longer open.
   */
  settle<K extends ModalKind>(state: ModalState<K>, value: ModalValue<K>): void
  /** Closes the open modal without an answer. */
  dismiss(): void
  /** Handles a navigation: closes the open modal unless its kind stays open (A2.3-03). */
  navigated(): void
  /** Returns the open modal. */
  current(): ModalState | null
  /**
   * Waits until no modal is open. A caller whose modal is not urgent waits for this before `open`, so that its
   * modal does not close another one that awaits an answer. Callers that wait at the same time get their turns one after
   * another. A caller must open its modal at once, or else wait again.
   */
  free(): Promise<void>
  /** Calls `changed` when a modal opens or closes. Returns a function that stops the calls. */
  subscribe(changed: () => void): () => void
}

interface OpenModal {
  state: ModalState
  /** The answer that the caller gets if the modal is closed without an answer. */
  unanswered: ModalValue<ModalKind>
  resolve: (value: ModalValue<ModalKind>) => void
}

/** The fields of a modal, all empty. */
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

/** Creates a separate manager. The pages share {@link modal}. */
export function createModals(): ModalManager {
  const listeners = new Set<() => void>()
  let opened = 0
  let open: OpenModal | undefined
  /** Ends when the last caller that waits for its turn has had the time to open its modal. */
  let lastTurn: Promise<void> = Promise.resolve()

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

  /** Waits until a turn has ended, and then until no modal is open. */
  async function freeAfter(turn: Promise<void>): Promise<void> {
    await turn
    // Loops, because a caller can open its next modal as soon as it gets an answer.
    for (;;) {
      if (open === undefined) return
      await closed()
    }
  }

  return {
    open: (kind, props) =>
      new Promise((resolve) => {
        if (open !== undefined) close(open, open.unanswered)
        opened += 1
        open = {
          // The cast is needed, because the compiler cannot prove that the common fields and the props of a kind
          // form the state of this kind.
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
      const turn = freeAfter(lastTurn)
      lastTurn = turn.then(nextTask)
      await turn
    },
    subscribe,
  }
}

/** Waits until all code that can run now has run. */
async function nextTask(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve)
  })
}

/** The modal manager of the pages. */
export const modal: ModalManager = createModals()

function ofKind(kind: ModalKind): Partial<ModalFields> {
  return { isNeedPlayer: kind === 'download', isDisplayModalSwitchProfile: kind === 'switchProfile' }
}
