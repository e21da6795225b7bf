import type { ModalKind, ModalState, ModalValue } from './modal-kinds.ts'

/** The props of a view of a modal. */
export interface ModalViewProps<K extends ModalKind> {
  modal: ModalState<K>
  /** Closes the modal with an answer. */
  answer: (value: ModalValue<K>) => void
  /** Sets the answer that the caller gets if the viewer closes the modal without `answer`. */
  settle: (value: ModalValue<K>) => void
}
