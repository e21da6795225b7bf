/** Returns the key of an item's card among the cards of a page. */
export function cardKey(item: { idAsset: number } | { idRecording: number }): string {
  return 'idRecording' in item ? `recording-${item.idRecording}` : `asset-${item.idAsset}`
}

/** Moves the focus from a card that is being removed to a card beside it, or else to the screen. */
export function leaveCard(key: string): void {
  const item = document.activeElement?.closest('li')
  if (!item?.querySelector(`[data-card="${key}"]`)) return
  // A placeholder beside the card has no link.
  const target =
    item.nextElementSibling?.querySelector('a') ??
    item.previousElementSibling?.querySelector('a') ??
    document.querySelector('main')
  target?.focus({ preventScroll: target.matches('main') })
}
