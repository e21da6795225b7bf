import type { ModalKind, ModalState, ModalValue } from './modal-kinds.ts'

/** What shows a kind of modal is given. */
export interface ModalViewProps<K extends ModalKind> {
  modal: ModalState<K>
  /** Closes the modal with an answer. */
  answer: (value: ModalValue<K>) => void
  /** What it gives back if it is closed without another answer. */
  settle: (value: ModalValue<K>) => void
}
