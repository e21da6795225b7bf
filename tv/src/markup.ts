const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns a text as it stands in XML and HTML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter)
}

/** Returns a text as it stands in a string resource of Android, whose own escapes come inside those of XML. */
export function escapeAndroid(text: string): string {
  return escapeMarkup(
    text
      .replaceAll('\\', '\\\\')
      .replaceAll(/(['"])/g, '\\$1')
      .replace(/^[@?]/, '\\$&'),
  )
}
