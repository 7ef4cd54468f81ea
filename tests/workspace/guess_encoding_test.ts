import assert from "node:assert/strict";
import { guessLegacy } from "../../src/workspace/guess_encoding.ts";
import { decodeText, encodeText, type Encoding } from "../../src/workspace/text_file.ts";

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
        if (guessLegacy(bytes) === encoding) right++;
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
    assert.ok(shareRight(encoding, 3) >= 0.9, `${shareRight(encoding, 3)} of pieces of 3`);
  });
}

Deno.test("Japanese in euc-jp is told from Chinese and Korean", () => {
  for (const sentence of SENTENCES["shift_jis"]!) {
    const bytes = encodeText(`// ${sentence}\n`, { encoding: "euc-jp", bom: false });
    assert.equal(guessLegacy(bytes), "euc-jp", sentence);
  }
});

Deno.test("a stray byte does not make another encoding of a text", () => {
  const text = encodeText("打开文件失败，请检查路径", { encoding: "gb18030", bom: false });
  assert.equal(guessLegacy(Uint8Array.from([...text, 0xff, 0x0a, ...text])), "gb18030");
});
