import type { Film } from '../title.ts'

export const premiereNeige: Film = {
  kind: 'film',
  id: 'premiere-neige',
  number: 4,
  world: 'snow',
  title: 'Première neige',
  originalTitle: 'Première neige',
  englishTitle: 'First Snow',
  plot: {
    fra: 'Dans le dernier train avant les congères, deux inconnus partagent un compartiment, un thermos et une erreur de quai. Dehors, le monde s’efface poliment.',
    eng: 'On the last train before the drifts, two strangers share a compartment, a flask and the wrong platform. Outside, the world politely disappears.',
  },
  tagline: { fra: 'Ils se sont trompés de train, pas de nuit.', eng: 'Wrong train. Right night.' },
  year: 2025,
  premiered: '2025-11-28',
  age: 7,
  genres: ['Romance', 'Comédie'],
  director: 'Clémence Vautrin',
  writer: 'Clémence Vautrin',
  composer: 'Irène Salgado',
  actors: [
    { name: 'Basile Ferrand', role: 'Le violoniste' },
    { name: 'Oumou Diallo', role: 'La cartographe' },
    { name: 'René Maillot', role: 'Le contrôleur' },
  ],
  studio: 'Atelier Nord-Est',
  rating: 7.9,
  votes: 3344,
  tags: {
    fra: ['train', 'neige', 'hiver', 'rencontre'],
    eng: ['train', 'snow', 'winter', 'encounter'],
  },
  lettering: {
    lines: { fra: ['Première', 'neige'], eng: ['First', 'Snow'] },
    colour: '#ffffff',
    align: 'center',
    place: 'top',
    size: 0.22,
  },
  stills: { poster: 0.3, fanart: 0.36, landscape: 0.42, trailer: [0.1, 0.24, 0.42, 0.62, 0.8] },
  durationSeconds: 48,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'Quai numéro deux' },
    { at: 0.28, title: 'Le thermos' },
    { at: 0.58, title: 'Arrêt en pleine voie' },
    { at: 0.86, title: 'Terminus' },
  ],
  narration: [
    {
      fra: '— Pardon, c’est bien le train pour Saint-Hilaire ?',
      eng: '— Sorry, is this the train for Saint-Hilaire?',
    },
    {
      fra: '— Je l’espère. C’est ce que j’ai dit à ma mère.',
      eng: '— I hope so. It’s what I told my mother.',
    },
    {
      fra: 'Il a commencé à neiger à l’instant précis où nous nous sommes tus.',
      eng: 'It began to snow at the very moment we stopped talking.',
    },
    {
      fra: '— Vous dessinez des cartes ? — Des cartes d’endroits où je ne suis pas allée.',
      eng: '— You draw maps? — Maps of places I’ve never been.',
    },
    {
      fra: '— Et moi je joue des airs que je n’ai pas finis.',
      eng: '— And I play tunes I haven’t finished.',
    },
    {
      fra: 'Le thermos fait « pop ». C’est le plus petit feu d’artifice du monde.',
      eng: 'The flask goes “pop”. It is the smallest firework in the world.',
    },
    {
      fra: 'Contrôleur : — Saint-Hilaire ? C’est l’autre train, messieurs-dames. Depuis une heure.',
      eng: 'Conductor: — Saint-Hilaire? That’s the other train, ladies and gentlemen. Has been for an hour.',
    },
    {
      fra: 'Nous avons ri jusqu’au tunnel. Puis, dans le tunnel, un peu plus bas.',
      eng: 'We laughed all the way to the tunnel. Then, inside it, a little more quietly.',
    },
    {
      fra: '— Qu’est-ce qu’il y a, au bout de cette ligne ?',
      eng: '— What is there, at the end of this line?',
    },
    {
      fra: '— Rien, dit-il. Une gare. Un banc. De la neige.',
      eng: '— Nothing, he said. A station. A bench. Snow.',
    },
    { fra: '— Alors il faudra tout dessiner.', eng: '— Then we’ll have to draw all of it.' },
    { fra: 'On est arrivés à l’heure, quelque part.', eng: 'We arrived on time, somewhere.' },
  ],
  trailerNumber: 44,
}
