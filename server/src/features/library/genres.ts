import type { Texts } from '../../database/columns.ts'

/** Genres by their French and English names, since metadata files use either. */
const KNOWN: readonly (readonly [fra: string, eng: string])[] = [
  ['Action', 'Action'],
  ['Animation', 'Animation'],
  ['Aventure', 'Adventure'],
  ['Biographie', 'Biography'],
  ['Comédie', 'Comedy'],
  ['Crime', 'Crime'],
  ['Documentaire', 'Documentary'],
  ['Drame', 'Drama'],
  ['Expérimental', 'Experimental'],
  ['Famille', 'Family'],
  ['Fantastique', 'Fantasy'],
  ['Guerre', 'War'],
  ['Histoire', 'History'],
  ['Horreur', 'Horror'],
  ['Jeunesse', 'Children'],
  ['Musique', 'Music'],
  ['Mystère', 'Mystery'],
  ['Nature', 'Nature'],
  ['Policier', 'Detective'],
  ['Romance', 'Romance'],
  ['Science-fiction', 'Science fiction'],
  ['Sport', 'Sport'],
  ['Thriller', 'Thriller'],
  ['Voyage', 'Travel'],
  ['Western', 'Western'],
]

const BY_NAME = new Map(KNOWN.flatMap((pair) => pair.map((name) => [plain(name), pair] as const)))

/** The names of a genre in all languages that it is known in, and the key of its category: `genre:Drame`. */
export function genreNames(genre: string, language: string): { key: string; names: Texts } {
  const known = BY_NAME.get(plain(genre))
  if (known === undefined) return { key: `genre:${genre}`, names: { [language]: genre } }
  return { key: `genre:${known[0]}`, names: { fra: known[0], eng: known[1] } }
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s-]/g, '')
}
