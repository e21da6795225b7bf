const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for XML and HTML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter)
}

/** Escapes a text for a string resource of Android: first with the escapes of Android, then with those of XML. */
export function escapeAndroid(text: string): string {
  return escapeMarkup(
    text
      .replaceAll('\\', '\\\\')
      .replaceAll(/(['"])/g, '\\$1')
      .replace(/^[@?]/, '\\$&'),
  )
}
