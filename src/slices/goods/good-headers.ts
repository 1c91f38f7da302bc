import { GOOD_COLUMNS, goodColumn } from "./good-columns.js";

/**
 * What columns are called: in English, German, French, Spanish, Portuguese, Italian, Dutch and Polish, and in the exports of
 * Shopify, WooCommerce, PrestaShop, Magento, Bagisto and Spree. They are compared without case, accents and punctuation. The first
 * header of a sheet that fits a column has it, those of `SECOND_CHOICE` behind all others.
 */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  sku: [
    "sku, variant sku, item sku, product code, item code, item number, item no, article number, part number, part no, code, reference, ref, model, product reference",
    "artikelnummer, artikelnr, art nr, bestellnummer, produktnummer, produktcode",
    "référence, réf, code article, code produit, ugs, código, cód, código de artículo, referencia, código do produto, referência",
    "codice, codice articolo, codice prodotto, riferimento, artikelcode, productcode, kod, kod produktu, symbol, indeks",
  ],
  name: [
    "name, title, product name, product title, item name, item, product, article, good",
    "bezeichnung, produktname, artikelname, artikel, artikelbezeichnung, produkt, titel, nom, titre, nom du produit, produit, désignation, libellé",
    "nombre, título, nombre del producto, producto, artículo, nome, nome do produto, produto, nome prodotto, prodotto, articolo, titolo",
    "naam, productnaam, artikelnaam, nazwa, nazwa produktu, produkt, tytuł",
  ],
  short_details: ["short details"],
  summary: [
    "short description, summary, subtitle, excerpt",
    "kurzbeschreibung, kurztext, description courte, résumé, descripción corta, descripción breve, resumen",
    "descrição curta, resumo, descrizione breve, riassunto, korte beschrijving, samenvatting, krótki opis, opis krótki",
  ],
  details: [
    "details, description, body, body html, long description, product description",
    "beschreibung, langbeschreibung, produktbeschreibung, text, description longue, détails, descripción, descripción larga, detalles",
    "descrição, detalhes, descrizione, descrizione lunga, dettagli, beschrijving, omschrijving, opis, opis produktu",
  ],
  price: [
    "price, unit price, regular price, variant price, sale price, selling price, retail price, price tax included, price tax excluded",
    "preis, verkaufspreis, vk, vk preis, vk brutto, stückpreis, einzelpreis, bruttopreis, preis brutto, regulärer preis",
    "prix, prix ttc, prix de vente, prix de vente ttc, prix unitaire, prix unitaire ttc, tarif, tarif régulier",
    "precio, precio unitario, precio normal, precio de venta, precio venta, precio de venta al público, pvp",
    "preço, preço unitário, preço normal, preço de venda, preço venda, valor, prezzo, prezzo unitario, prezzo di vendita",
    "prezzo di listino, prijs, verkoopprijs, stukprijs, reguliere prijs, cena, cena jednostkowa, cena sprzedaży, cena brutto, cena regularna",
  ],
  compare_at_price: [
    "compare at price, variant compare at price, compare at, list price, msrp, rrp",
    "vergleichspreis, uvp, streichpreis, prix barré, prix de comparaison, precio de comparación, precio anterior",
    "preço comparativo, preço de comparação, prezzo di confronto, prezzo barrato, vergelijkingsprijs, van prijs, cena porównawcza",
  ],
  unit: [
    "unit, unit of measure, uom, einheit, mengeneinheit, unité, unidad, unidade, unità, unità di misura, eenheid, jednostka",
  ],
  eta: [
    "eta, delivery time, lead time, lieferzeit, délai, délai de livraison, plazo de entrega, tiempo de entrega, prazo de entrega",
    "tempi di consegna, levertijd, czas dostawy",
  ],
  notes_enabled: ["allow notes, notes, notizen erlaubt, notes permises, permitir notas"],
  max_quantity: [
    "max quantity, maximum quantity, max qty, höchstmenge, maximale menge, quantité maximale, cantidad máxima, quantidade máxima",
    "quantità massima, maximale hoeveelheid, maksymalna ilość",
  ],
  keywords: [
    "keywords, tags, tags x y z, meta keywords, search terms, stichwörter, schlagwörter, schlüsselwörter, suchbegriffe, mots clés, étiquettes",
    "palabras clave, etiquetas, palavras chave, parole chiave, etichette, trefwoorden, zoekwoorden, słowa kluczowe, tagi",
  ],
  barcodes: [
    "barcodes, barcode, variant barcode, ean, ean13, gtin, upc, isbn, ean gtin, gtin ean, ean upc, gtin upc ean or isbn, strichcode, ean code",
    "code barres, code à barres, código de barras, código barras, cód barras, cód de barras, codice a barre, streepjescode, kod kreskowy, kod ean",
  ],
  weight: ["weight, weight kg, gewicht, poids, peso, waga"],
  label: ["label, badge, kennzeichnung, étiquette produit, distintivo"],
  categories: [
    "categories, categories x y z, category, category1, product category, product type, kategorie, kategorien, warengruppe, produktkategorie",
    "catégorie, catégories, rayon, categoría, categorías, categoria, categorias, categorie, categorieën, kategoria, kategorie produktu",
  ],
  picture_urls: [
    "image src, image1 src, images, image urls x y z, image, image url, image urls, pictures, picture, picture url, photo, photos, photo url",
    "bild, bilder, bild url, foto, fotos, imagen, imágenes, imagem, imagens, immagine, immagini, afbeelding, afbeeldingen",
    "zdjęcie, zdjęcia, obraz, obrazy",
  ],
  stock: [
    "stock, quantity, qty, inventory, inventory count, variant inventory qty, inventory quantity, stock quantity, in stock, on hand",
    "bestand, lagerbestand, menge, quantité, stock disponible, cantidad, existencias, inventario, quantidade, estoque, stock actual",
    "quantità, giacenza, scorte, voorraad, aantal, hoeveelheid, stan, stan magazynowy, ilość, zapas",
  ],
  disabled: [
    "disabled, deaktiviert, gesperrt, désactivé, desactivado, desativado, disattivato, uitgeschakeld, wyłączony",
  ],
};

/**
 * What a good costs for a while: in a sheet that also has its price they say nothing, and most of their cells are blank. What
 * Magento calls the type of a product is `simple` or `configurable`.
 */
const SECOND_CHOICE: ReadonlySet<string> = new Set(["sale price", "product type"].map(plainHeader));

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

const WOOCOMMERCE: ReadonlySet<string> = new Set(
  ["Is featured?", "Visibility in catalog", "Allow customer reviews?", "Grouped products"].map(plainHeader),
);

const BY_HEADER: ReadonlyMap<string, string> = new Map([
  ...Object.entries(HEADERS).flatMap(([column, lines]) =>
    lines.flatMap((line) => line.split(",").map((header) => [plainHeader(header), column] as const)),
  ),
  ...GOOD_COLUMNS.map(({ name }) => [plainHeader(name), name] as const),
]);

/** A header as headers are compared: without case, accents, spaces and punctuation. */
export function plainHeader(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/ł/gu, "l")
    .replace(/[^\p{Letter}\p{Number}]/gu, "");
}

/**
 * The column that a header stands for; `null` for one that nobody knows. Other programs write ids of their own as `ID`, and
 * "Item #" is an item's number. An amount may have its currency beside it, such as "Price (USD)".
 */
export function columnOfHeader(header: string): string | null {
  const column = BY_HEADER.get(plainHeader(header)) ?? null;
  if (column === null) {
    const amount = BY_HEADER.get(plainHeader(withoutCurrency(header))) ?? null;
    return amount !== null && goodColumn(amount)?.kind === "amount" ? amount : null;
  }
  if (column === "name" && header.endsWith("#")) return "sku";
  return column === "id" && header !== "id" ? null : column;
}

/** A header without the code of a currency at its end: "Preis" for "Preis in EUR". */
function withoutCurrency(header: string): string {
  const words = header.split(/[\s()[\]]+/u).filter((word) => word !== "");
  if (!CURRENCIES.has(words.at(-1) ?? "")) return header;
  const bare = words.slice(0, -1);
  return bare.slice(0, /^(?:in|en|em)$/iu.test(bare.at(-1) ?? "") ? -1 : bare.length).join(" ");
}

/** Whether a header is one by which a sheet is known to be of WooCommerce. */
export function isOfWooCommerce(header: string): boolean {
  return WOOCOMMERCE.has(plainHeader(header));
}

/** Whether a header gives way to any other one of its column, wherever that stands. */
export function isSecondChoice(header: string): boolean {
  return SECOND_CHOICE.has(plainHeader(header)) || SECOND_CHOICE.has(plainHeader(withoutCurrency(header)));
}

/** Whether a header is the one by which a sheet is known to be of Shopify. */
export function isHandle(header: string): boolean {
  return ["handle", "urlhandle"].includes(plainHeader(header));
}
