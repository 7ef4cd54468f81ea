import assert from "node:assert/strict";
import { guessEncoding } from "../../../src/files/encoding/guess_encoding.ts";
import {
  decodeAs,
  decodeText,
  EncodeError,
  encodeText,
  type Encoding,
} from "../../../src/files/text_file.ts";

/** Sentences as they stand in programs and letters, with the encoding people wrote them in. */
const SENTENCES: { readonly [encoding: string]: readonly string[] } = {
  "gb18030": [
    "打开文件失败，请检查路径是否正确",
    "初始化数据库连接池",
    "返回当前用户的订单列表",
    "今天天气很好，我们去公园散步吧",
    "如果参数为空则抛出异常",
    "这个函数计算两个日期之间的天数",
    "注意：修改配置后需要重新启动服务",
    "读取串口数据并校验",
    "北京大学计算机学院",
    "春天来了，小河边的柳树发芽了",
  ],
  "big5": [
    "開啟檔案失敗，請檢查路徑是否正確",
    "初始化資料庫連線",
    "傳回目前使用者的訂單清單",
    "今天天氣很好，我們去公園散步吧",
    "如果參數是空的就丟出例外",
    "這個函式計算兩個日期之間的天數",
    "注意：修改設定後需要重新啟動伺服器",
    "讀取序列埠資料並檢查",
    "臺灣大學資訊工程學系",
    "春天來了，小河邊的柳樹發芽了",
  ],
  "shift_jis": [
    "ファイルを開けませんでした",
    "データベース接続を初期化する",
    "現在のユーザーの注文一覧を返します",
    "今日は天気がいいので公園へ散歩に行きましょう",
    "引数が空の場合は例外を投げる",
    "二つの日付の間の日数を計算する関数",
    "設定を変更した後は再起動が必要です",
    "シリアルポートからデータを読み込む",
    "東京大学工学部",
    "春が来て、川辺の柳が芽を出した",
  ],
  "euc-kr": [
    "파일을 열 수 없습니다. 경로를 확인하세요",
    "데이터베이스 연결을 초기화합니다",
    "현재 사용자의 주문 목록을 반환한다",
    "오늘은 날씨가 좋으니 공원에 산책하러 갑시다",
    "인자가 비어 있으면 예외를 던진다",
    "두 날짜 사이의 일수를 계산하는 함수",
    "설정을 바꾼 뒤에는 다시 시작해야 합니다",
    "직렬 포트에서 데이터를 읽는다",
    "서울대학교 공과대학",
    "봄이 와서 강가의 버드나무에 싹이 텄다",
  ],
  "windows-1252": [
    "Impossible d’ouvrir le fichier : vérifiez le chemin d’accès",
    "Größe der Übertragung überschritten",
    "La función devolvió un número no válido",
    "O ficheiro não pôde ser aberto, verifique a conexão",
    "Överföringen av filen misslyckades på grund av nätverket",
    "FUNÇÃO DE INICIALIZAÇÃO",
    "Il file è già stato aperto; perché riaprirlo?",
    "Låsen på døren må åbnes først, sagde værten",
    "«Être ou ne pas être», voilà la question",
    "Straße, Fuß, Maß: 20 °C, 5 µm, © 1999 Müller",
  ],
  "windows-1251": [
    "Не удалось открыть файл «данные», проверьте путь",
    "Инициализация соединения с базой данных",
    "возвращает список заказов пользователя",
    "Сегодня хорошая погода, пойдём гулять в парк",
    "Если аргумент пуст, бросаем исключение",
    "Функция вычисляет число дней между датами",
    "ВНИМАНИЕ: перезапустите сервис",
    "Московский государственный университет",
    "Ошибка № 5: нет доступа",
    "Немає доступу до файлу, перевірте шлях",
  ],
  "koi8-r": [
    "Не удалось открыть файл, проверьте путь",
    "Инициализация соединения с базой данных",
    "возвращает список заказов пользователя",
    "Если аргумент пуст, бросаем исключение",
    "ВНИМАНИЕ: перезапустите сервис",
    "Пришла весна, на ивах у реки распустились почки",
  ],
};
/** So much of the pieces of three characters. */
const SHORT_SHARE: { readonly [encoding: string]: number } = {
  "windows-1251": 0.85,
  "koi8-r": 0.8,
};

const frames = [
  (text: string) => `int main(void) {\n  return 0; /* ${text} */\n}\n`,
  (text: string) => `# ${text}\nvalue = compute(1, 2)\n`,
  (text: string) => `name,note\n17,"${text}"\n`,
  (text: string) => `${text}\r\n`,
];

/** How often the guess is right for pieces of `length` characters, over all frames. */
function shareRight(encoding: string, length: number): number {
  let right = 0;
  let all = 0;
  for (const sentence of SENTENCES[encoding]!) {
    for (let start = 0; start < sentence.length; start += length) {
      const piece = sentence.slice(start, start + length).trim();
      // deno-lint-ignore no-control-regex -- the bound of ASCII
      if (!/[^\x00-\x7f]/.test(piece)) continue;
      for (const frame of frames) {
        const bytes = encodeText(frame(piece), { encoding: encoding as Encoding, bom: false });
        all++;
        if (decodeText(bytes).encoding === encoding) right++;
      }
    }
  }
  return right / all;
}

for (const encoding of Object.keys(SENTENCES)) {
  Deno.test(`a sentence in ${encoding} is told from every other encoding`, () => {
    for (const sentence of SENTENCES[encoding]!) {
      for (const frame of frames) {
        const text = frame(sentence);
        const bytes = encodeText(text, { encoding: encoding as Encoding, bom: false });
        assert.deepEqual(decodeText(bytes), { text, encoding, bom: false });
      }
    }
  });

  Deno.test(`a few characters of ${encoding} are nearly always enough`, () => {
    assert.ok(shareRight(encoding, 6) >= 0.97, `${shareRight(encoding, 6)} of pieces of 6`);
    const short = SHORT_SHARE[encoding] ?? 0.9;
    assert.ok(shareRight(encoding, 3) >= short, `${shareRight(encoding, 3)} of pieces of 3`);
  });
}

Deno.test("Japanese in euc-jp is told from Chinese and Korean", () => {
  for (const sentence of SENTENCES["shift_jis"]!) {
    const bytes = encodeText(`// ${sentence}\n`, { encoding: "euc-jp", bom: false });
    assert.equal(guessEncoding(bytes), "euc-jp", sentence);
  }
});

Deno.test("a stray byte does not make another encoding of a text", () => {
  const text = encodeText("打开文件失败，请检查路径", { encoding: "gb18030", bom: false });
  assert.equal(guessEncoding(Uint8Array.from([...text, 0xff, 0x0a, ...text])), "gb18030");
});

/** Bytes of a text file in UTF-8, and of what else has come into it. */
const joined = (...parts: (string | readonly number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part),
  );

Deno.test("UTF-8 with little text and a bad byte is still UTF-8, and writes back what it was", () => {
  const log = "2026-11-20 INFO started\n".repeat(120);
  const cut = joined(log, "ERROR 数据库连接失败").slice(0, -2);
  const cases: { readonly [what: string]: Uint8Array } = {
    "a log whose end is cut within a character": cut,
    "the same with a line end": Uint8Array.from([...cut, 0x0a]),
    "a log whose beginning is cut": joined([0xa5, 0xe5], "错误\n", log),
    "two characters and a bad byte": joined("你好\n", [0xff, 0x0a]),
    "an emoji and a bad byte": joined("done 🎉\n", [0xff, 0x0a]),
    "raw bytes in a program": joined("s=b'", [0xff, 0xfe], "'\nprint('你好，世界')\n"),
    "café twice and a byte of windows-1252": joined("café, café and caf", [0xe9, 0x0a]),
    "a name and another": joined("naïve\nna", [0xef], "ve\n"),
    "Russian and bad bytes": joined("Ошибка: нет доступа ", [0x81, 0x20, 0xaf], "\n"),
    "Korean and a bad byte": joined("오류 ", [0xb0, 0x0a]),
    "an arrow and a bad byte": joined("a → b ", [0xc0, 0x0a]),
  };
  for (const [what, bytes] of Object.entries(cases)) {
    const file = decodeText(bytes);
    assert.equal(file.encoding, "utf-8", what);
    assert.deepEqual(encodeText(file.text + "é中", file), joined([...bytes], "é中"), what);
  }
});

Deno.test("a sentence of UTF-8 stays UTF-8 wherever its end is cut off", () => {
  for (const [encoding, sentences] of Object.entries(SENTENCES)) {
    // a letter with a mark alone says little
    if (encoding === "windows-1252") continue;
    for (const sentence of sentences) {
      const bytes = joined("INFO ", sentence);
      for (let end = 5 + 9; end < bytes.length; end++) {
        assert.equal(decodeText(bytes.slice(0, end)).encoding, "utf-8", `${sentence} to ${end}`);
      }
    }
  }
});

Deno.test("a text of an old encoding does not become UTF-8 by a sequence that is valid by chance", () => {
  for (const text of ["联通\n系统\n联通", "中国移动 联通 电信", "不通的链路", "一联通二"]) {
    const bytes = encodeText(text, { encoding: "gb18030", bom: false });
    assert.equal(decodeText(bytes).encoding, "gb18030", text);
  }
});

Deno.test("every byte of a Cyrillic file is written back as it was", () => {
  const bytes = Uint8Array.from({ length: 255 }, (_, index) => index + 1);
  for (const encoding of ["windows-1251", "koi8-r"] as const) {
    const text = decodeAs(bytes, encoding);
    assert.ok(text.isWellFormed());
    assert.deepEqual(encodeText(text, { encoding, bom: false }), bytes);
    assert.throws(() => encodeText("中", { encoding, bom: false }), EncodeError);
  }
});
